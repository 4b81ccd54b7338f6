"""trieste with the method that Salvo has: a sparse Gaussian process with 500 inducing points by k-means, 1000 features,
one Thompson sample maximised for each point of the batch. As it comes, from the 10 d best of at least 5000 candidates
(which takes gigabytes); "light": from the 10 best of 500 for each dimension, what Salvo does. Recommends the evaluated point
with the best mean of the model."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow as tf
from trieste.acquisition import ParallelContinuousThompsonSampling
from trieste.acquisition.optimizer import generate_continuous_optimizer
from trieste.acquisition.rule import EfficientGlobalOptimization
from trieste.data import Dataset
from trieste.models.gpflow import KMeansInducingPointSelector, SparseGaussianProcessRegression, build_sgpr
from trieste.space import Box


class Trieste:
    def __init__(self, num_dims, batch, seed, search):
        np.random.seed(seed)
        tf.random.set_seed(seed)
        self.batch, self.num_dims = batch, num_dims
        self.space = Box([0.0] * num_dims, [1.0] * num_dims)
        samples = ParallelContinuousThompsonSampling()
        self.rule = EfficientGlobalOptimization(builder=samples, optimizer=search, num_query_points=batch)
        self.model = None

    def ask(self):
        return self.rule.acquire_single(self.space, self.model, dataset=self.data).numpy()

    def tell(self, U, y):
        told = Dataset(tf.constant(U, tf.float64), tf.constant(np.asarray(y)[:, None], tf.float64))
        self.data = told if self.model is None else self.data + told
        if self.model is None:
            sgpr = build_sgpr(self.data, self.space, num_inducing_points=500, trainable_likelihood=True)
            selector = KMeansInducingPointSelector()
            self.model = SparseGaussianProcessRegression(sgpr, num_rff_features=1000, inducing_point_selector=selector)
        self.model.update(self.data)
        self.model.optimize(self.data)

    def recommend(self):
        mean, _ = self.model.predict(self.data.query_points)
        return self.data.query_points.numpy()[int(tf.argmin(mean[:, 0]))]


def make(num_dims, batch, seed, variant=None):
    light = variant == "light"
    search = generate_continuous_optimizer(500 * num_dims, num_optimization_runs=10) if light else None  # None: its default
    return Trieste(num_dims, batch, seed, search)
