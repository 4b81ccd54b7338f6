#!/usr/bin/env python3
"""Scores one molecule with RDKit: how drug-like it is (QED), less a penalty for being larger than a lead should be.

    python3 score.py 'c1ccc(CC)cc1OC'

A docking program takes its place as it is: it is given a SMILES and prints a number. Needs RDKit (pip install rdkit).
"""
import json
import sys

from rdkit import Chem, RDLogger
from rdkit.Chem import QED, Crippen, Descriptors


def main():
    RDLogger.DisableLog("rdApp.*")
    molecule = Chem.MolFromSmiles(sys.argv[1])
    if molecule is None:
        raise SystemExit(f"not a molecule: {sys.argv[1]}")
    weight, logp = Descriptors.MolWt(molecule), Crippen.MolLogP(molecule)
    value = QED.qed(molecule) - max(0.0, weight - 350) / 500 - abs(logp - 2.5) / 20
    print(json.dumps({"value": value, "weight": weight, "logp": logp}))


if __name__ == "__main__":
    main()
