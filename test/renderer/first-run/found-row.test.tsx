import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { FoundRow } from '../../../src/renderer/first-run/FoundRow'
import type { SourceRootView } from '../../../src/shared/model/settings/source-roots'
import { noBackup } from '../../support/no-backup'

const root: SourceRootView = {
  source: 'claude-code',
  path: '/home/ann/.claude',
  shown: '~/.claude',
  label: 'Claude Code',
  origin: 'default',
  state: { type: 'waiting', isThere: true },
  backup: noBackup,
}

function row(more: Partial<SourceRootView> = {}, isEditable = true): string {
  return renderToStaticMarkup(
    <FoundRow
      root={{ ...root, ...more }}
      isOfImports={false}
      onTurn={() => undefined}
      onBackUp={isEditable ? () => undefined : undefined}
    />,
  )
}

/** Switches with their names, and whether they are on. */
function switches(html: string): readonly string[] {
  return [...html.matchAll(/<button[^>]*role="switch"[^>]*>/g)].map(([tag]) =>
    ['aria-checked', 'aria-label']
      .map((name) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1])
      .join(' '),
  )
}

it('offers a backup, off, where a system is known to delete', () => {
  expect(switches(row())).toEqual([
    'true Read Claude Code ~/.claude',
    'false Back up Claude Code ~/.claude',
  ])
  expect(row()).toContain('Claude Code deletes conversations after 30 days.')
})

it('says that the copies come with the library once it is turned on', () => {
  const html = row({ backup: { ...noBackup, isOn: true } })
  expect(switches(html)).toContain('true Back up Claude Code ~/.claude')
  expect(html).toContain('They are copied when the library opens.')
})

it.each([
  [
    'a system that is not known to delete',
    { backup: { ...noBackup, deletesAfterDays: null } },
    true,
  ],
  ['one that is not read', { backup: null, state: { type: 'off' as const } }, true],
  ['roots that were given at the start', {}, false],
])('offers none for %s', (_, more, isEditable) => {
  expect(row(more, isEditable)).not.toContain('Back up')
})
