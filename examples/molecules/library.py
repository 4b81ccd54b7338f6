#!/usr/bin/env python3
"""Writes a library of some 9,000 molecules: rings with two substituents, each joined by one of a few linkers.

    python3 library.py > library.smi
"""
CORES = ["c9ccc({0})cc9{1}", "c9cc({0})ncc9{1}", "c9cc({0})cnc9{1}", "c9nc({0})ncc9{1}", "C9CN({0})CCN9{1}", "C9CC({0})CCN9{1}",
         "c9cc8c(cc9{0})[nH]cc8{1}", "c9cc8c(cc9{0})ncn8{1}", "O=C9CC({0})CN9{1}", "c9sc({0})nc9{1}"]  # 8, 9: rings of their own
GROUPS = ["C", "CC", "C(C)C", "CO", "CCO", "C(F)(F)F", "C#N", "c1ccccc1", "c1ccncc1", "C1CC1", "C1CCOCC1", "c1ccc(F)cc1", "c1ccc(Cl)cc1",
          "c1ccc(OC)cc1", "CN(C)C", "S(C)(=O)=O", "c1cnn(C)c1", "CC(=O)O", "C(=O)N", "c1ccsc1"]
LINKERS = ["", "C", "C(=O)", "C(=O)N", "CC"]


def main():
    number = 0
    for core in CORES:
        for first in GROUPS:
            for second in GROUPS:
                for linker in LINKERS[: 1 + (number % 5)]:
                    number += 1
                    print(core.format(linker + first, second), f"M{number:05d}")


if __name__ == "__main__":
    main()
