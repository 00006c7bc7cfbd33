#!/usr/bin/env node
import { type Command, CommanderError } from "commander";
import { finishesWithoutOutput } from "./invocation/until-stopped";
import { ExitCode } from "./invocation/exit-code";
import { failureOf, printFailure } from "./invocation/failure";
import { createProgram, everyCommand } from "./program";

runProgram(createProgram());
