import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { SourceChoice } from '../../../../src/renderer/settings/sources/SourceChoice'
import { SourceRow } from '../../../../src/renderer/settings/sources/SourceRow'
import type { SourceRootView } from '../../../../src/shared/model/settings/source-roots'
import { noBackup } from '../../../support/no-backup'

const root: SourceRootView = {
  source: 'cycod',
  path: '/home/mira/.cycod',
  shown: '~/.cycod',
  label: 'cycod',
  origin: 'default',
  state: { type: 'found', conversations: 3, bytes: 2048 },
  backup: null,
}

function row(more: Partial<SourceRootView> = {}, isEditable = true): string {
  return renderToStaticMarkup(
    <SourceRow
      root={{ ...root, ...more }}
      isEditable={isEditable}
      onTurn={() => undefined}
      onRemove={() => undefined}
      onBackUp={() => undefined}
      onDeleteBackup={async () => true}
    />,
  )
}

/** Names and roles of what can be used, in order. */
function controls(html: string): readonly string[] {
  return [...html.matchAll(/<button[^>]*>/g)].map(([tag]) =>
    ['role', 'aria-checked', 'aria-label']
      .flatMap((name) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? [])
      .join(' '),
  )
}

it('is a group with a name, and a switch for a default root', () => {
  expect(row()).toContain('role="group" aria-label="cycod ~/.cycod"')
  expect(row()).toContain('3 conversations, 2.0 KB.')
  expect(controls(row())).toEqual(['switch true Read cycod ~/.cycod'])
  expect(controls(row({ state: { type: 'off' } }))).toEqual(['switch false Read cycod ~/.cycod'])
})

it('can be removed by name where it was added', () => {
  expect(controls(row({ origin: 'added' }))).toEqual(['Remove cycod ~/.cycod'])
})

it('has no control where it was given at the start', () => {
  expect(controls(row({ origin: 'given' }, false))).toEqual([])
  expect(row({ origin: 'given' }, false)).toContain('--root')
})

it('offers a backup only where it can be turned on', () => {
  expect(controls(row({ backup: noBackup }))).toContain('switch false Back up cycod ~/.cycod')
  expect(row({ backup: noBackup }, false)).not.toContain('Backup')
})

it.each([
  ['is on', { ...noBackup, isOn: true }],
  ['has files', { ...noBackup, files: 2, bytes: 4096 }],
])('shows a backup that %s where nothing can be turned on', (_, backup) => {
  const html = row({ backup }, false)
  expect(html).toContain('Backup of cycod ~/.cycod')
  expect(controls(html)).toEqual([])
})

it('shows a hostile path as text, with what would turn its direction made visible', () => {
  const html = row({ shown: '~/<img src=x>/\u202etxt.lanruoj', origin: 'added' })
  expect(html).not.toContain('<img')
  expect(html).not.toContain('\u202e')
  expect(html).toContain('⟨U+202E⟩txt.lanruoj')
})

const systems = [
  { source: 'cycod' as const, label: 'cycod' },
  { source: 'fluux' as const, label: 'fluux-agent' },
  { source: 'voicemode' as const, label: 'voicemode' },
]

it.each([
  [
    ['cycod' as const, 'voicemode' as const],
    ['cycod', 'voicemode', 'Cancel'],
  ],
  [[], ['cycod', 'fluux-agent', 'voicemode', 'Cancel']],
])('offers the systems that find something, or else all: %j', (found, names) => {
  const html = renderToStaticMarkup(
    <SourceChoice
      shown="~/chats"
      found={found}
      systems={systems}
      isBusy={false}
      onChoose={() => undefined}
      onCancel={() => undefined}
    />,
  )
  expect(html).toContain('<legend class="label">Whose conversations are these?</legend>')
  const offered = [...html.matchAll(/<button.*?<\/button>/g)].map(([button]) =>
    button.replace(/<svg.*?<\/svg>/g, '').replace(/<[^>]*>/g, ''),
  )
  expect(offered).toEqual(names)
})
