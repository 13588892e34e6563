"""Writes the files of this folder with NumPy (/usr/bin/python3 make.py): tests read them, and compare them with our own."""
import numpy as np

a = np.arange(24).reshape(2, 3, 4)
np.savez("arrays.npz", f8=a.astype("<f8"), big=a.astype(">f4"), half=a.astype("<f2"),
         fortran=np.asfortranarray(a.astype("<i8")), byte=a.astype("u1"), flag=a > 11)
np.savez_compressed("packed.npz", x=np.tile(a.astype("<f4"), (100, 1, 1)))
np.save("a.npy", a.astype("<i2"))
np.save("weights.npy", np.array([[0, 1, 2], [3, 4, 5.5]], "<f4"))
np.save("odd.npy", np.array([-np.inf, 0.25, 0.1], "<f4"))
np.save("scalar.npy", np.array(7, "<f4"))
