import { expect, it } from 'vitest'
import { checkNode } from '../../scripts/setup/project.mjs'

it.each(['18.20.4', '20.18.1'])('refuses Node %s in words', (version) => {
  expect(() => checkNode(version)).toThrow(
    `Skein is built with Node 20.19 or newer; this is ${version}.`,
  )
})

it.each(['20.19.0', '22.0.0'])('takes Node %s', (version) => {
  expect(() => checkNode(version)).not.toThrow()
})
