# Bindery in an image: docs/deploying.md. Builds with `docker build -t bindery .` from a copy of this repository.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# For Node 24 the database driver comes as a binary: nothing is compiled.
RUN npm ci --ignore-scripts
COPY . .
# `prepack` also leaves only the driver in package.json: the other packages are in the bundle.
RUN npm run prepack && npm prune --omit=dev --omit=optional --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production BINDERY_HOST=0.0.0.0 BINDERY_PORT=8080 BINDERY_DATA=/data
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/bin bin
COPY --from=build /build/dist dist
COPY --from=build /build/catalog catalog
COPY --from=build /build/demo demo
RUN ln -s /app/bin/bindery.mjs /usr/local/bin/bindery && install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 8080
# The image has neither curl nor wget.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.BINDERY_PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]
