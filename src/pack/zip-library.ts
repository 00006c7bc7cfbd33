export { zipSync } from "fflate";
