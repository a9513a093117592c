#!/usr/bin/env python3
"""Times ONNX Runtime on the file of `tejun export network`, beside `cargo bench -p tejun --bench network`.

    python training/onnx_speed.py network.onnx
"""

import sys
import time

import numpy as np
import onnxruntime


def main():
    for n_threads in (1, 2):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = n_threads
        session = onnxruntime.InferenceSession(sys.argv[1], options)
        for batch in (1, 8, 32):
            planes = (np.arange(batch * 24 * 361) * 7919 % 13 == 0).astype(np.float32).reshape(batch, 24, 19, 19)
            session.run(None, {"planes": planes})
            n_batches = 96 // batch
            start = time.time()
            for _ in range(n_batches):
                session.run(None, {"planes": planes})
            seconds = time.time() - start
            n = n_batches * batch
            print(
                f"{n_threads} threads, batches of {batch}: {n / seconds / n_threads:.1f} positions per second per thread, "
                f"{1e3 * seconds * n_threads / n:.2f} ms each"
            )


if __name__ == "__main__":
    main()
