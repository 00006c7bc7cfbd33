/**
 * The check of policies that the construct uses. The published build replaces this file with a bundle of
 * it, because the check needs a library that only providers have, and loads it with the first known policy.
 */
export { policyProblems } from "../policy/parse/parse-policies";
