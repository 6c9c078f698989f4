import { expect, it } from 'vitest'
import { openLifecycle } from '../../../../src/main/tools/hooks/lifecycle'
import { scriptedHooks } from '../../../support/scripted-hooks'

const open = (before?: string) => {
  const hooks = scriptedHooks({})
  const lifecycle = openLifecycle({
    hooks,
    facts: async (context) => ({ current_context: context ?? '' }),
    before: async () => before,
  })
  return { hooks, lifecycle }
}
const switched = (from: string, to: string) => [
  'on_context_switch',
  { from_context: from, to_context: to, is_transient: false },
]

it('plugins hear once that a program begins, of each switch to another context, and once of its end', async () => {
  const { hooks, lifecycle } = open()
  await lifecycle.start()
  await Promise.all(
    ['garden', 'garden', 'shed', 'garden'].map((context) => lifecycle.enter(context)),
  )
  await lifecycle.start()
  await Promise.all([lifecycle.end(), lifecycle.end()])
  expect(hooks.heard).toEqual([
    ['on_start', { current_context: '' }],
    switched('garden', 'shed'),
    switched('shed', 'garden'),
    ['on_end', {}],
  ])
})

it('plugins hear of a switch from the context of the program before', async () => {
  const { hooks, lifecycle } = open('shed')
  await lifecycle.enter('garden')
  await lifecycle.end()
  expect(hooks.heard).toEqual([
    ['on_start', { current_context: 'garden' }],
    switched('shed', 'garden'),
    ['on_end', {}],
  ])
})

it('plugins hear of no end where they heard of no beginning', async () => {
  const { hooks, lifecycle } = open()
  await lifecycle.end()
  expect(hooks.heard).toEqual([])
})

it('plugins hear of a beginning also where the home cannot be read', async () => {
  const hooks = scriptedHooks({})
  const facts = async () => Promise.reject(new Error('unreadable'))
  const lifecycle = openLifecycle({ hooks, facts })
  await lifecycle.enter('garden')
  await lifecycle.end()
  expect(hooks.points).toEqual(['on_start', 'on_end'])
})
