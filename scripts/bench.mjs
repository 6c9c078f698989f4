#!/usr/bin/env node
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { formatTable, replaceBetweenMarkers } from './bench/table.mjs'
import { run } from './setup/child.mjs'
import { ensureDependencies } from './setup/dependencies.mjs'
import { checkNode, root } from './setup/project.mjs'
import { Fault, runScript, say } from './setup/words.mjs'

/** @typedef {import('./bench/table.mjs').Row} Row */

const folder = path.join(root, 'bench')
const built = path.join(root, 'out', 'bench')
const page = path.join(root, 'docs', 'benchmarks.md')

/**
 * Runs the benchmarks of `bench/`, each in a process of its own, and shows every figure beside its budget. Fails when one
 * is over. Words pick benchmarks by name; `--write` keeps the figures in docs/benchmarks.md.
 */
await runScript(async () => {
  checkNode()
  await ensureDependencies()
  const words = process.argv.slice(2)
  const picked = words.filter((word) => !word.startsWith('--'))
  const names = benchmarks().filter((name) => picked.length === 0 || picked.includes(name))
  if (names.length === 0)
    throw new Fault(`No benchmark is named so; there are: ${benchmarks().join(', ')}.`)
  await bundle(names)
  /** @type {Row[]} */
  const rows = []
  for (const name of names) {
    say(`${name} …`)
    rows.push(...(await measure(name)))
  }
  const table = formatTable(rows)
  console.log(table)
  if (words.includes('--write')) keep(table)
  return rows.every((row) => row.ok) ? 0 : 1
})

function benchmarks() {
  return fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
}

/**
 * Bundled as the app is, for the same oldest runtime.
 * @param {readonly string[]} names
 */
async function bundle(names) {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node18.15',
      outDir: built,
      emptyOutDir: true,
      rollupOptions: {
        input: Object.fromEntries(names.map((name) => [name, path.join(folder, `${name}.ts`)])),
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  })
}

/**
 * @param {string} name
 * @returns {Promise<readonly Row[]>}
 */
async function measure(name) {
  const { code, stdout, stderr } = await run(process.execPath, [
    '--expose-gc',
    path.join(built, `${name}.mjs`),
  ])
  if (code !== 0) throw new Fault(`The benchmark ${name} ended with ${code}.\n${stdout}${stderr}`)
  return JSON.parse(stdout)
}

/** @param {string} table */
function keep(table) {
  const where = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${os.cpus().length} cores, ${new Date().toISOString().slice(0, 10)}.`
  const text = fs.existsSync(page) ? fs.readFileSync(page, 'utf8') : '# Benchmarks\n'
  fs.writeFileSync(page, replaceBetweenMarkers(text, `${where}\n\n${table}`))
}
