export { decodeJson } from "./json-decode";
export { encodeJson } from "./json-encode";
