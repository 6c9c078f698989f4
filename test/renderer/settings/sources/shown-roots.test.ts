import { expect, it } from 'vitest'
import { shownRoots } from '../../../../src/renderer/settings/sources/shown-roots'
import type { RootState, SourceRootView } from '../../../../src/shared/model/settings/source-roots'

const found: RootState = { type: 'found', conversations: 1, bytes: 1 }

const root = (path: string, state: RootState, more: Partial<SourceRootView> = {}) => ({
  source: 'copilot' as const,
  path,
  label: 'GitHub Copilot',
  shown: path,
  origin: 'default' as const,
  state,
  backup: null,
  ...more,
})

it('lists of the usual places of a system those that are there, or the first one', () => {
  const roots = [
    root('/cli', { type: 'missing' }),
    root('/code', found),
    root('/insiders', { type: 'missing' }),
    root('/codium', { type: 'waiting' }),
    root('/off', { type: 'off' }),
    root('/bad', { type: 'unreadable', why: 'x' }),
    root('/added', { type: 'missing' }, { origin: 'added' }),
    root('/pi', { type: 'missing' }, { source: 'pi' }),
    root('/pi2', { type: 'missing' }, { source: 'pi' }),
  ]
  expect(shownRoots(roots).map(({ path }) => path)).toEqual([
    '/code',
    '/codium',
    '/off',
    '/bad',
    '/added',
    '/pi',
  ])
})
