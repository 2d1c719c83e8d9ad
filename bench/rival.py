"""Serve a rival as the service is served: `python -m bench.rival fastapi` or `bare`, at PORT."""

import gc
import os
import sys

import uvicorn

APPS = {"fastapi": "bench.fastapi_echo:app", "bare": "bench.bare_echo:app"}


def main() -> None:
    """Serve until told to stop, with the server settings and the garbage collection of the service."""
    config = uvicorn.Config(
        APPS[sys.argv[1]],
        host=os.environ["HOST"],
        port=int(os.environ["PORT"]),
        loop="uvloop",
        http="httptools",
        lifespan="off",
        access_log=False,
        log_level="warning",
        server_header=False,
    )
    config.load()
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
    uvicorn.Server(config).run()


if __name__ == "__main__":
    main()
