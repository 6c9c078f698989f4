import { Check } from 'lucide-react'
import { useId } from 'react'
import type { ExportFormat } from '../../shared/model/export'
import { useExporting } from '../state/context'
import type { Exported } from '../state/exporting'
import { useShownTitle } from '../state/use-shown-title'
import { Button } from '../ui/Button'
import { Choice } from '../ui/Choice'
import { byteSize, counted } from '../ui/format'
import { Icon } from '../ui/Icon'
import { Note } from '../ui/Note'
import { PathText } from '../ui/PathText'
import { Sheet } from '../ui/Sheet'
import { visibleText } from '../ui/visible-text'
import { formatGroups } from './formats'
import { LossList } from './LossList'

/** What becomes of damaged lines: what is no entry has no place among entries. */
const ofDamage: Readonly<Record<ExportFormat, string>> = {
  md: 'shown',
  html: 'shown',
  txt: 'shown',
  json: 'listed with the files',
  jsonl: 'left out: no entry',
  csv: 'left out: no entry',
  openai: 'left out: no entry',
  chibi: 'left out: no entry',
  cycod: 'left out: no entry',
  fluux: 'left out: no entry',
  voicemode: 'left out: no entry',
  original: 'copied as it stands',
}

/** Asks in which format a conversation is written, and says what was. */
export function ExportDialog() {
  const key = useExporting((state) => state.key)
  const close = useExporting((state) => state.close)
  return (
    <Sheet
      title="Export"
      about={useShownTitle(key)}
      isOpen={key !== undefined}
      first="input:checked"
      onClose={close}
    >
      <Formats />
      <LossList />
      <Foot />
    </Sheet>
  )
}

function Formats() {
  const chosen = useExporting((state) => state.format)
  const choose = useExporting((state) => state.choose)
  const isBusy = useExporting((state) => state.isBusy)
  const exported = useExporting((state) => state.exported)
  const failure = useExporting((state) => state.failure)
  const id = useId()
  return (
    <div className="dialog-body">
      <fieldset className="export-formats" disabled={isBusy}>
        <legend className="unseen">Format</legend>
        {formatGroups.map(({ name: group, formats }) => (
          <fieldset key={group} className="export-group">
            <legend className="small t3">{group}</legend>
            {formats.map(({ format, name, words }) => (
              <Choice
                key={format}
                className="export-format"
                group={id}
                title={name}
                words={words}
                isChosen={format === chosen}
                onChoose={() => choose(format)}
              />
            ))}
          </fieldset>
        ))}
      </fieldset>
      {exported !== undefined && <Written exported={exported} />}
      {failure !== undefined && (
        <div className="export-result">
          <Note tone="error" title="Not written." detail={failure.detail}>
            {failure.message}
          </Note>
        </div>
      )}
    </div>
  )
}

function Written(props: { readonly exported: Exported }) {
  const { file, bytes, entries, damaged, unread } = props.exported
  const format = useExporting((state) => state.format)
  const shown = damaged === 0 ? '' : `, ${counted(damaged, 'damaged line')} ${ofDamage[format]}`
  return (
    <div className="export-result" role="status">
      {unread.length === 0 && <Icon of={Check} className="ok-t" />}
      <div className="export-written">
        <span className="number">
          {counted(entries, 'entry', 'entries')}
          {shown}, {byteSize(bytes)}
        </span>
        <PathText path={file} />
        {unread.length > 0 && (
          <Note tone="warn" title="Not all of the conversation could be read.">
            {visibleText(unread.join(' '))} It is not in the file.
          </Note>
        )}
      </div>
    </div>
  )
}

function Foot() {
  const isBusy = useExporting((state) => state.isBusy)
  const exported = useExporting((state) => state.exported)
  const save = useExporting((state) => state.save)
  const close = useExporting((state) => state.close)
  return (
    <footer className="dialog-foot">
      <span className="t3 small grow">The conversation itself is not changed.</span>
      <Button onClick={close}>{exported === undefined ? 'Cancel' : 'Close'}</Button>
      <Button kind="primary" isBusy={isBusy} onClick={() => void save()}>
        Export…
      </Button>
    </footer>
  )
}
