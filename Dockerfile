# docker build --tag rubato .
# docker run --rm -v "$PWD:/work" rubato run scenario.yaml
FROM debian:bookworm-slim AS build
COPY . /rubato
RUN apt-get update && apt-get install --yes --no-install-recommends make && make -C /rubato deb

FROM debian:bookworm-slim
COPY --from=build /rubato/build/deb/rubato_*.deb /tmp/
RUN apt-get update && apt-get install --yes --no-install-recommends /tmp/rubato_*.deb \
    && rm -rf /tmp/rubato_*.deb /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["rubato"]
