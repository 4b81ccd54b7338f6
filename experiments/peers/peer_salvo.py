"""Salvo as it comes. Recommends the evaluated point with the best mean of the model."""

import salvo


class Salvo:
    def __init__(self, num_dims, batch, seed):
        self.names = [f"x{i}" for i in range(num_dims)]
        self.batch = batch
        self.study = salvo.Study({name: salvo.Float(0, 1) for name in self.names}, direction="minimize", batch=batch, seed=seed)
        self.asked = None

    def ask(self):
        self.asked = self.study.ask(self.batch)
        return self.asked.to_numpy()

    def tell(self, U, y):
        if self.asked is None:
            self.study.add([dict(zip(self.names, row)) for row in U.tolist()], y)
        else:
            self.study.tell(self.asked, y)

    def recommend(self):
        params = self.study.best.params
        return [params[name] for name in self.names]


def make(num_dims, batch, seed):
    return Salvo(num_dims, batch, seed)
