#!/usr/bin/env node
import { createRequire } from 'node:module'
import path from 'node:path'
import { ensureBuild } from './build.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { checkNode, root } from './setup/project.mjs'
import { Fault } from './setup/words.mjs'

// The command line itself: needs the dependencies and the build, and neither Electron nor a display.
try {
  checkNode()
  await ensureDependencies()
  await ensureBuild()
} catch (error) {
  if (!(error instanceof Fault)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
// In this very process: no second start of Node, and its streams, signals and exit code are the command's own.
createRequire(import.meta.url)(path.join(root, 'out', 'main', 'cli.cjs'))
