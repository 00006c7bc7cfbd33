// Imported statically: a dynamic import of a CommonJS package has no names once it is bundled.
export { HttpsProxyAgent } from "https-proxy-agent";
