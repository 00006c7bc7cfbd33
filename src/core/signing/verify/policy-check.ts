/**
 * The check of policies in the construct. The published build replaces this file with a bundle, because the check needs a
 * library that only providers have. It is loaded with the first known policy.
 */
export { policyProblems } from "../policy/parse/parse-policies";
