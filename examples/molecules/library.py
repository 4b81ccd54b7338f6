#!/usr/bin/env python3
"""Writes a library of some 9,000 molecules: rings with two substituents, each joined by one of a few linkers.

    python3 library.py > library.smi
"""
CORES = ["c1ccc({0})cc1{1}", "c1cc({0})ncc1{1}", "c1cc({0})cnc1{1}", "c1nc({0})ncc1{1}", "C1CN({0})CCN1{1}", "C1CC({0})CCN1{1}",
         "c1cc2c(cc1{0})[nH]cc2{1}", "c1cc2c(cc1{0})ncn2{1}", "O=C1CC({0})CN1{1}", "c1sc({0})nc1{1}"]
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
