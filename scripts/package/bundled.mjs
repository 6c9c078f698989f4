import fs from 'node:fs'
import path from 'node:path'
import { root } from '../setup/project.mjs'
import { bundledName } from '../vite/bundled-packages.mjs'

/** @typedef {import('../vite/bundled-packages.mjs').BundledPackage} BundledPackage */

/** Parts of the built app that list what they bundle. */
const parts = ['main', 'preload', 'renderer']

/**
 * Packages whose code is in the built app, each version once, by name.
 * @returns {readonly BundledPackage[]}
 */
export function bundledComponents() {
  /** @type {Map<string, BundledPackage>} */
  const found = new Map()
  for (const part of parts) {
    const file = path.join(root, 'out', part, bundledName)
    for (const each of JSON.parse(fs.readFileSync(file, 'utf8')))
      found.set(`${each.name}@${each.version}`, each)
  }
  return [...found.keys()].sort().map((key) => /** @type {BundledPackage} */ (found.get(key)))
}

/**
 * The licences of packages as one text, each with the packages that it is of.
 * @param {readonly BundledPackage[]} packages
 */
export function licencesOf(packages) {
  /** @type {Map<string, string[]>} */
  const byWords = new Map()
  for (const { name, version, license, words } of packages) {
    const text = words === '' ? `(${license}; the package has no text of it)` : words
    byWords.set(text, [...(byWords.get(text) ?? []), `${name} ${version} (${license})`])
  }
  const parts = [...byWords].map(([words, names]) => `${names.join('\n')}\n\n${words}\n`)
  return parts.join(`\n${'-'.repeat(78)}\n\n`)
}
