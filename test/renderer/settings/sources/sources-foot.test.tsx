import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ImportedNote } from '../../../../src/renderer/settings/sources/SourcesFoot'
import type { ImportedExport } from '../../../../src/shared/model/settings/source-roots'

const one: ImportedExport = {
  name: 'rollout\u202e.jsonl',
  sources: ['codex'],
  isNew: true,
  isInPlace: true,
  added: { source: 'codex', path: '/home/mira/rollout\u202e.jsonl' },
}

it('offers to remove a file that is read where it lies since Skein was opened with it, and no other', () => {
  const html = renderToStaticMarkup(<ImportedNote one={one} onRemove={() => undefined} />)
  const text = html.replaceAll(/<[^>]*>/g, '')
  expect(text).toContain('was added: it is read where it lies.')
  expect(text).toContain('Remove rollout⟨U+202E⟩.jsonl from Sources')
  const { added, ...known } = one
  for (const note of [
    <ImportedNote key="off before" one={one} />,
    <ImportedNote key="known" one={{ ...known, isNew: false }} onRemove={() => undefined} />,
  ])
    expect(renderToStaticMarkup(note)).not.toContain('<button')
})
