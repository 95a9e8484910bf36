FROM python:3.12-slim

# A user without rights; only /data is its own.
RUN useradd --system --create-home --home-dir /home/fairway fairway && install -d -o fairway -g fairway /data

WORKDIR /build
COPY pyproject.toml README.md ./
COPY server ./server
RUN pip install --no-cache-dir . && rm -rf /build
COPY client_web /srv/client_web

USER fairway
WORKDIR /home/fairway
ENV FAIRWAY_HOST=0.0.0.0 \
    FAIRWAY_PORT=8080 \
    FAIRWAY_DATA_DIR=/data \
    FAIRWAY_CLIENT_DIR=/srv/client_web \
    PYTHONUNBUFFERED=1
EXPOSE 8080
VOLUME /data
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/healthz', timeout=2)"]
# The supervisor drains for up to 10 s; give it longer than that: docker stop --time 30.
STOPSIGNAL SIGTERM
ENTRYPOINT ["fairway"]
CMD ["serve"]
