# Stage one builds a virtual environment from the hashed lock; stage two is that environment and Python, nothing else.

FROM python:3.13-slim AS build
WORKDIR /src
RUN python -m venv /opt/dragoman
ENV PATH=/opt/dragoman/bin:$PATH PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
COPY requirements.txt ./
RUN pip install --quiet --only-binary :all: --require-hashes --requirement requirements.txt
COPY pyproject.toml README.md ./
COPY adapters adapters
COPY app app
RUN pip install --quiet --no-build-isolation --no-deps . && pip uninstall --quiet --yes setuptools pip

FROM python:3.13-slim
COPY --from=build /opt/dragoman /opt/dragoman
COPY docker/healthcheck.py /opt/dragoman/
# The root file system may be read-only: pip compiled everything above, so that Python writes nothing here.
ENV PATH=/opt/dragoman/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 DRAGOMAN_HOST=0.0.0.0 DRAGOMAN_PORT=8080
USER 10001:10001
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s CMD ["python", "/opt/dragoman/healthcheck.py"]
ENTRYPOINT ["dragoman"]
CMD ["serve"]
