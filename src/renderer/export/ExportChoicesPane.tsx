import type { ExportParts } from '../../shared/model/export-choices'
import { useExporting } from '../state/context'
import { SegmentedControl } from '../ui/controls/SegmentedControl'
import { RedactionChoices } from './RedactionChoices'
import { TickRow } from './TickRow'

/** Choices of what of the conversation is written; nothing for the original, which is copied. */
export function ExportChoicesPane() {
  const format = useExporting((state) => state.format)
  if (format === 'original')
    return (
      <section className="export-choices" aria-label="What is written">
        <Into />
        <p className="t2 small">
          The original is copied byte for byte: all of it, and nothing redacted.
        </p>
      </section>
    )
  return (
    <section className="export-choices" aria-label="What is written">
      <Into />
      <Branches />
      <Range />
      <Parts />
      <RedactionChoices />
    </section>
  )
}

/** Only where several are written. */
function Into() {
  const into = useExporting((state) => state.choices.into)
  const isOfSeveral = useExporting((state) => state.several !== undefined)
  const change = useExporting((state) => state.change)
  if (!isOfSeveral) return null
  return (
    <div className="export-choice-row">
      <h3 className="small t3">Into</h3>
      <SegmentedControl
        label="Into"
        value={into}
        options={{ folder: 'A folder', zip: 'One zip' }}
        onChoose={(value) => change({ into: value })}
      />
    </div>
  )
}

function Branches() {
  const branches = useExporting((state) => state.choices.branches)
  const change = useExporting((state) => state.change)
  return (
    <div className="export-choice-row">
      <h3 className="small t3">Branches</h3>
      <SegmentedControl
        label="Branches"
        value={branches}
        options={{ usual: 'By format', active: 'This path', all: 'All' }}
        onChoose={(value) => change({ branches: value })}
      />
    </div>
  )
}

/** Only where a part of the transcript was selected when the dialog opened. */
function Range() {
  const selected = useExporting((state) => state.selected)
  const isRanged = useExporting((state) => state.range !== undefined)
  const writeSelected = useExporting((state) => state.writeSelected)
  if (selected === undefined) return null
  return (
    <div className="export-choice-row">
      <h3 className="small t3">Messages</h3>
      <SegmentedControl
        label="Messages"
        value={isRanged ? 'selected' : 'all'}
        options={{ all: 'All', selected: 'Selected' }}
        onChoose={(value) => writeSelected(value === 'selected')}
      />
    </div>
  )
}

function Parts() {
  const parts = useExporting((state) => state.choices.parts)
  const change = useExporting((state) => state.change)
  const set = (changed: Partial<ExportParts>) => change({ parts: { ...parts, ...changed } })
  return (
    <fieldset className="export-parts">
      <legend className="small t3">Include</legend>
      <SegmentedControl
        label="Tools"
        value={parts.tools}
        options={{ all: 'Tools', calls: 'Calls alone', none: 'No tools' }}
        onChoose={(tools) => set({ tools })}
      />
      <TickRow
        label="Reasoning"
        isOn={parts.reasoning}
        onChange={(reasoning) => set({ reasoning })}
      />
      <TickRow label="System messages" isOn={parts.system} onChange={(system) => set({ system })} />
      <TickRow label="Times" isOn={parts.times} onChange={(times) => set({ times })} />
    </fieldset>
  )
}
