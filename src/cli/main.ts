#!/usr/bin/env node
import { runProgram } from "./invocation/run-program";
import { createProgram } from "./program";

runProgram(createProgram());
