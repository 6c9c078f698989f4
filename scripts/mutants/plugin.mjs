import path from 'node:path'
import { root } from '../setup/project.mjs'
import { mutants } from './list.mjs'

/** @typedef {import('./list.mjs').Mutant} Mutant */

/**
 * Vite plugins that put the mutant that `SKEIN_MUTANT` names into the code that is tested; no file is changed. None
 * where it names none.
 * @param {string | undefined} [name]
 */
export function mutantPlugins(name = process.env.SKEIN_MUTANT) {
  if (name === undefined) return []
  const mutant = mutants.find((one) => one.name === name)
  if (mutant === undefined) throw new Error(`There is no mutant "${name}".`)
  const file = path.join(root, mutant.file)
  return [
    {
      name: 'skein-mutant',
      enforce: /** @type {const} */ ('pre'),
      /**
       * @param {string} code
       * @param {string} id
       */
      transform(code, id) {
        return path.normalize(id.split('?')[0] ?? '') === file ? mutated(code, mutant) : undefined
      },
    },
  ]
}

/**
 * Returns the code with a mutant in it. Throws where its text is not in it exactly once.
 * @param {string} code
 * @param {Mutant} mutant
 */
export function mutated(code, { name, file, text, instead }) {
  const parts = code.split(text)
  if (parts.length !== 2)
    throw new Error(`"${name}": its text is ${parts.length - 1} times in ${file}, not once.`)
  return parts.join(instead)
}
