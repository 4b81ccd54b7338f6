"""Makes morgan.csv, the fingerprints that Salvo must reproduce bit for bit. It was run once, with rdkit 2026.09.1 of PyPI:

    python3 -m venv venv && venv/bin/pip install rdkit==2026.9.1 && venv/bin/python morgan.py > morgan.csv
"""
from rdkit import Chem, DataStructs
from rdkit.Chem import rdFingerprintGenerator

MOLECULES = r"""
C
CCO
C1CC1
C#N
*C
c1ccccc1
c1ccsc1
c1cc[se]c1
c1ccc2[nH]ccc2c1
c1ccc2ccccc2c1
O=C(O)c1ccccc1OC(C)=O
CN1C=NC2=C1C(=O)N(C)C(=O)N2C
CC(=O)Nc1ccc(O)cc1
CC(C)Cc1ccc(cc1)C(C)C(=O)O
N[C@@H](C)C(=O)O
N[C@H](C)C(=O)O
F/C=C/F
F/C=C\F
[Na+].[Cl-]
[Fe+2]
C[N+](C)(C)CC(=O)[O-]
[O-][N+](=O)c1ccccc1
[13CH4]
[2H]O[2H]
O=S(=O)(O)c1ccc(Cl)cc1
C[Si](C)(C)C
CB(O)O
OP(=O)(O)O
C12C3C4C1C5C2C3C45
OC[C@H]1O[C@H](O)[C@@H](O)[C@@H](O)[C@@H]1O
CC1(C)SC2C(NC(=O)Cc3ccccc3)C(=O)N2C1C(=O)O
CC(=O)OC1=CC=CC=C1C(=O)OC
CN1CCC[C@H]1c1cccnc1
COc1ccc2cc(ccc2c1)C(C)C(=O)O
OC(=O)CCCCCCCCCCCCCCCCC
C1=CC2=C3C(=C1)C=CC4=CC=CC(=C43)C=C2
CC12CCC3C(CCC4=CC(=O)CCC34C)C1CCC2O
Cn1cnc2c1c(=O)[nH]c(=O)n2C
CC(C)NCC(O)COc1cccc2ccccc12
Clc1ccc(cc1)C(c1ccccc1)N1CCN(CC1)CCOCC(=O)O
FC(F)(F)c1ccc(cc1)Oc1ccccc1
O=C1CCC(N1)=O
N#Cc1ccc(cc1)-c1ccc(cc1)C#N
C1CCC2(CC1)OCCO2
BrC1=C(I)SC=C1
CCN(CC)C(=O)[C@H]1CN([C@@H]2Cc3c[nH]c4cccc(c34)C2=C1)C
c1ccc(cc1)P(c1ccccc1)c1ccccc1
C[C@@H]1CC[C@H]2[C@@H](C)C(=O)O[C@@H]3O[C@@]4(C)CC[C@@H]1[C@@]23OO4
""".split()

print("smiles,radius,bits,hex")
for smiles in MOLECULES:
    for radius, bits in ((3, 512), (2, 2048), (0, 100)):
        generator = rdFingerprintGenerator.GetMorganGenerator(radius=radius, fpSize=bits)
        print(f"{smiles},{radius},{bits},{DataStructs.BitVectToFPSText(generator.GetFingerprint(Chem.MolFromSmiles(smiles)))}")
