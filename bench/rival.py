"""Serve a rival as the service is served: `python -m bench.rival NAME`, where NAME is one of `APPS`, at PORT."""

import os
import sys

import uvicorn

from api.serving import server_settings, settle_memory

APPS = {"fastapi": "bench.fastapi_echo:app", "rival": "bench.fastapi_service:app", "bare": "bench.bare_echo:app"}


def main() -> None:
    """Serve until told to stop, with the server settings and the garbage collection of the service."""
    config = uvicorn.Config(
        APPS[sys.argv[1]],
        host=os.environ["HOST"],
        port=int(os.environ["PORT"]),
        lifespan="off",
        **server_settings(),
    )
    config.load()
    settle_memory()
    uvicorn.Server(config).run()


if __name__ == "__main__":
    main()
