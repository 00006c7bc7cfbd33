#!/usr/bin/env node
import { runProgram } from "./invocation/run-program";
import { createProviderProgram } from "./provider-program";

runProgram(createProviderProgram());
