import { useStores, useTranscript } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import { formatQuantity } from '../../ui/format/format'
import { Note } from '../../ui/notes/Note'
import type { HiddenKind } from './skim-items'

const nouns: Readonly<Record<HiddenKind, readonly [one: string, many: string]>> = {
  tool: ['tool call', 'tool calls'],
  reasoning: ['thought', 'thoughts'],
  answer: ['earlier answer', 'earlier answers'],
  damaged: ['damaged line', 'damaged lines'],
  other: ['other entry', 'other entries'],
}

/** Bar over a skimmed transcript: what is hidden and how much of it, and a button that shows all. */
export function SkimBar(props: { readonly hidden: ReadonlyMap<HiddenKind, number> }) {
  const { reading } = useStores()
  const atEnd = useTranscript(({ run }) => run.atEnd)
  return (
    <Note
      tone="info"
      isBar
      title="Only prompts and last answers are shown."
      actions={
        <Button isSmall keys={['S']} onClick={() => reading.getState().toggleSkimming()}>
          Show everything
        </Button>
      }
    >
      {hiddenWords(props.hidden)}
      {!atEnd && ' Later entries are not loaded.'}
    </Note>
  )
}

/** Says how many of what is loaded is hidden, by kind. */
function hiddenWords(hidden: ReadonlyMap<HiddenKind, number>): string {
  const parts = (Object.keys(nouns) as HiddenKind[]).flatMap((kind) => {
    const count = hidden.get(kind)
    return count === undefined ? [] : [formatQuantity(count, ...nouns[kind])]
  })
  if (parts.length === 0) return 'Nothing of what is loaded is hidden.'
  const last = parts.pop()
  return `Of what is loaded, ${parts.length === 0 ? last : `${parts.join(', ')} and ${last}`} are hidden.`
}
