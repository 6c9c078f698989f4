import { FoldVertical, type LucideIcon, MessageSquare, Tag, TriangleAlert } from 'lucide-react'
import { useLandmarks, useStores } from '../../state/context'
import type { OutlineKind } from '../../state/landmarks/landmarks'
import { Button } from '../../ui/controls/Button'
import { formatCount } from '../../ui/format/format'

/** Kinds of rows in the order of their switches: the sign, the name of one, the name of many. */
export const outlineKinds: Readonly<
  Record<OutlineKind, { readonly icon: LucideIcon; readonly one: string; readonly many: string }>
> = {
  prompt: { icon: MessageSquare, one: 'Prompt', many: 'Prompts' },
  label: { icon: Tag, one: 'Label', many: 'Labels' },
  compaction: { icon: FoldVertical, one: 'Summary', many: 'Summaries' },
  error: { icon: TriangleAlert, one: 'Error', many: 'Errors' },
}

/** Switches of the kinds that the outline lists, each with its number. */
export function KindSwitches(props: { readonly counts: ReadonlyMap<OutlineKind, number> }) {
  const { landmarks } = useStores()
  const kinds = useLandmarks((state) => state.kinds)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend and a frame
    <div className="outline-kinds" role="group" aria-label="Kinds">
      {(Object.keys(outlineKinds) as OutlineKind[]).map((kind) => (
        <Button
          key={kind}
          isSmall
          kind="ghost"
          icon={outlineKinds[kind].icon}
          isPressed={kinds.has(kind)}
          onClick={() => landmarks.getState().toggleKind(kind)}
        >
          {outlineKinds[kind].many}
          <span className="t3 number">{formatCount(props.counts.get(kind) ?? 0)}</span>
        </Button>
      ))}
    </div>
  )
}
