import { Check } from 'lucide-react'
import { useId, useMemo } from 'react'
import { visibleText } from '../../shared/model/basics/visible'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { exportFormats, PlacedFormat, type SavedAll } from '../../shared/model/export'
import { useExporting, useLibraryState } from '../state/context'
import type { WrittenExport } from '../state/context-state'
import { useShownTitle } from '../state/use-shown-title'
import { Button } from '../ui/controls/Button'
import { Icon } from '../ui/controls/Icon'
import { RadioChoice } from '../ui/controls/RadioChoice'
import { formatByteSize, formatCount, formatQuantity } from '../ui/format/format'
import { Note } from '../ui/notes/Note'
import { RefusalNote } from '../ui/notes/RefusalNote'
import { Sheet } from '../ui/panes/Sheet'
import { CopyButton } from '../ui/text/CodeBlock'
import { PathText } from '../ui/text/PathText'
import { ExportChoicesPane } from './ExportChoicesPane'
import { ExportPreviewPane } from './ExportPreviewPane'
import { formatGroups, formatPurposes } from './formats'
import { LossList } from './LossList'

/** Dialog that exports a conversation, or all of the library, in a format; shows losses and outcome. */
export function ExportDialog() {
  const key = useExporting((state) => state.key)
  const close = useExporting((state) => state.close)
  const several = useSeveral()
  const title = useShownTitle(key)
  return (
    <Sheet
      title="Export"
      about={several === undefined ? title : countOf(several)}
      isOpen={key !== undefined}
      className="export-dialog"
      first="input:checked"
      onClose={close}
    >
      <div className="export-columns">
        <Formats />
        <ExportChoicesPane />
        <ExportPreviewPane />
      </div>
      <Outcome />
      <Losses />
      <Foot />
    </Sheet>
  )
}

/** The conversations of a dialog of several. */
interface Several {
  readonly keys: readonly LibraryKey[]
  /** Number of them that is known of, where those that are not listed yet belong to them. */
  readonly total: number
  readonly isListing: boolean
}

/** Returns the conversations that the dialog writes: of one of all of them those that are listed by now. Undefined for one of one. */
function useSeveral(): Several | undefined {
  const several = useExporting((state) => state.several)
  const conversations = useLibraryState((state) => state.conversations)
  const total = useLibraryState((state) => state.total)
  const phase = useLibraryState((state) => state.phase)
  return useMemo(() => {
    if (several === undefined) return undefined
    if (several !== 'all') return { keys: several, total: several.length, isListing: false }
    const keys = conversations.map(({ key }) => key)
    if (phase === 'ready') return { keys, total: keys.length, isListing: false }
    return { keys, total: Math.max(total, keys.length), isListing: phase !== 'failed' }
  }, [several, conversations, total, phase])
}

function countOf({ keys, total, isListing }: Several): string {
  if (isListing) return `${soFar(keys.length, total)} conversations listed so far…`
  const all = formatQuantity(total, 'conversation')
  return keys.length === total ? all : `${formatCount(keys.length)} of ${all}`
}

function soFar(count: number, total: number): string {
  return total > count ? `${formatCount(count)} of ${formatCount(total)}` : formatCount(count)
}

/** Losses of this conversation; those of all conversations come with the outcome. */
function Losses() {
  const isOfAll = useExporting((state) => state.all !== undefined)
  return isOfAll ? null : <LossList />
}

function Formats() {
  const chosen = useExporting((state) => state.format)
  const choose = useExporting((state) => state.choose)
  const isBusy = useExporting((state) => state.isBusy)
  const id = useId()
  return (
    <div className="export-format-list">
      <fieldset className="export-formats" disabled={isBusy}>
        <legend className="unseen">Format</legend>
        {formatGroups.map(({ group, formats }) => (
          <fieldset key={group} className="export-group">
            <legend className="small t3">{group}</legend>
            {formats.map((format) => (
              <RadioChoice
                key={format}
                className="export-format"
                group={id}
                title={exportFormats[format].name}
                words={formatPurposes[format]}
                isChosen={format === chosen}
                onChoose={() => choose(format)}
              />
            ))}
          </fieldset>
        ))}
      </fieldset>
    </div>
  )
}

/** What became of the last export, or how far it is. */
function Outcome() {
  const exported = useExporting((state) => state.exported)
  const failure = useExporting((state) => state.failure)
  const all = useExporting((state) => state.all)
  const one = useExporting((state) => state.one)
  const isPdf = useExporting((state) => state.format === 'pdf')
  if (exported === undefined && failure === undefined && all === undefined && one === undefined)
    return null
  return (
    <div className="export-outcome">
      {exported !== undefined && <Written exported={exported} />}
      {one !== undefined && (
        <p ref={intoView} className="export-result" role="status">
          {one === 'stopped' ? 'Stopped. Nothing was written.' : isPdf ? 'Printing…' : 'Writing…'}
        </p>
      )}
      {all?.type === 'going' && (
        <p ref={intoView} className="export-result number" role="status">
          {all.soFar.isChecking === true
            ? 'All are written. The zip is read back…'
            : `${formatCount(all.soFar.done)} of ${formatQuantity(all.soFar.total, 'conversation')} written…`}
        </p>
      )}
      {all?.type === 'ended' && <WrittenAll saved={all.saved} />}
      {failure !== undefined && (
        <div className="export-result">
          <RefusalNote title="Not written." refusal={failure} />
        </div>
      )}
    </div>
  )
}

/** Scrolls to the outcome: the formats above it fill a small window. */
function intoView(node: HTMLElement | null): void {
  node?.scrollIntoView({ block: 'nearest' })
}

function Written(props: { readonly exported: WrittenExport }) {
  const { file, bytes, entries, damaged, unread, redacted, command } = props.exported
  const format = useExporting((state) => state.format)
  const shown =
    damaged === 0
      ? ''
      : `, ${formatQuantity(damaged, 'damaged line')} ${exportFormats[format].damaged}`
  return (
    <div ref={intoView} className="export-result" role="status">
      {unread.length === 0 && <Icon of={Check} className="ok-t" />}
      <div className="export-written">
        <span className="number">
          {formatQuantity(entries, 'entry', 'entries')}
          {shown}, {formatByteSize(bytes)}
          {redacted !== undefined && `, redacted in ${formatQuantity(redacted.places, 'place')}`}
        </span>
        <PathText path={file} />
        {command !== undefined && (
          <div className="export-command">
            <code>{visibleText(command)}</code>
            <CopyButton label="Copy command" text={command} />
          </div>
        )}
        {unread.length > 0 && (
          <Note tone="warn" title="Not all of the conversation could be read.">
            {visibleText(unread.join(' '))} It is not in the file.
          </Note>
        )}
      </div>
    </div>
  )
}

function WrittenAll({ saved }: { readonly saved: SavedAll }) {
  const { place, zipBytes, conversations, bytes, losses, failures, failed, stopped } = saved
  const { redacted } = saved
  const isThere = zipBytes !== null
  return (
    <div ref={intoView} className="export-result" role="status">
      {failed === 0 && !stopped && <Icon of={Check} className="ok-t" />}
      <div className="export-written">
        {isThere ? (
          <>
            <span className="number">
              {stopped && 'Stopped. '}
              {formatQuantity(conversations, 'conversation')},{' '}
              {formatQuantity(losses.entries, 'entry', 'entries')}, {formatByteSize(bytes)}
              {zipBytes !== undefined && ` in a zip of ${formatByteSize(zipBytes)}`}
              {redacted !== undefined && `, redacted in ${formatQuantity(redacted, 'place')}`}
            </span>
            <PathText path={place} />
          </>
        ) : (
          <span>{stopped ? 'Stopped. No zip was written.' : 'No zip was written.'}</span>
        )}
        {isThere && losses.losses.length > 0 && (
          <ul className="t2 small export-lost">
            {losses.losses.map(({ kind, sentence }) => (
              <li key={kind}>{visibleText(sentence)}</li>
            ))}
          </ul>
        )}
        {isThere && losses.losses.length === 0 && failed === 0 && conversations > 0 && (
          <span className="t2 small">Nothing is left out.</span>
        )}
        {failed > 0 && (
          <Note
            tone="warn"
            title={`${formatQuantity(failed, 'conversation')} could not be exported completely.`}
            detail={visibleText(failures.join('\n'))}
          />
        )}
      </div>
    </div>
  )
}

/** Button that makes the dialog one of every conversation of the library; nothing where that is this one. */
function AllButton() {
  const count = useLibraryState((state) => state.conversations.length)
  const isListed = useLibraryState((state) => state.phase === 'ready')
  const isBusy = useExporting((state) => state.isBusy)
  const widen = useExporting((state) => state.widen)
  if (isListed && count < 2) return null
  return (
    <Button isDisabled={isBusy} onClick={widen}>
      {isListed ? `All ${formatCount(count)}…` : 'All…'}
    </Button>
  )
}

/** Button that exports the conversations of a dialog of several, or stops that. */
function SeveralButton({ keys, total, isListing }: Several) {
  const isBusy = useExporting((state) => state.isBusy)
  const isGoing = useExporting((state) => state.all?.type === 'going')
  const saveAll = useExporting((state) => state.saveAll)
  const stop = useExporting((state) => state.stop)
  if (isGoing) return <Button onClick={stop}>Stop</Button>
  return (
    <Button
      kind="primary"
      isDisabled={isBusy || isListing || keys.length === 0}
      onClick={() => void saveAll(keys)}
    >
      {isListing ? `${soFar(keys.length, total)} so far` : `Export ${formatCount(keys.length)}…`}
    </Button>
  )
}

/** Button that writes a new session among those of the format's program; nothing for other formats. */
function ProgramButton() {
  const { data: format } = PlacedFormat.safeParse(useExporting((state) => state.format))
  const isBusy = useExporting((state) => state.isBusy)
  const saveToProgram = useExporting((state) => state.saveToProgram)
  if (format === undefined) return null
  return (
    <Button isDisabled={isBusy} onClick={() => void saveToProgram()}>
      Add to {exportFormats[format].inSentence}…
    </Button>
  )
}

/** Button that exports the conversation of a dialog of one, or stops that once its place was chosen. */
function OneButton() {
  const isBusy = useExporting((state) => state.isBusy)
  const isGoing = useExporting((state) => state.one === 'going')
  const save = useExporting((state) => state.save)
  const stop = useExporting((state) => state.stop)
  if (isGoing) return <Button onClick={stop}>Stop</Button>
  return (
    <Button kind="primary" isBusy={isBusy} onClick={() => void save()}>
      Export…
    </Button>
  )
}

function Foot() {
  const exported = useExporting((state) => state.exported)
  const several = useSeveral()
  const hasWritten = useExporting((state) => state.all?.type === 'ended') || exported !== undefined
  const close = useExporting((state) => state.close)
  return (
    <footer className="dialog-foot">
      <span className="t3 small grow">
        {several === undefined
          ? 'The conversation itself is not changed.'
          : 'A file each. The preview is of one of them.'}
      </span>
      {several === undefined && <AllButton />}
      <Button onClick={close}>{hasWritten ? 'Close' : 'Cancel'}</Button>
      {several === undefined ? (
        <>
          <ProgramButton />
          <OneButton />
        </>
      ) : (
        <SeveralButton {...several} />
      )}
    </footer>
  )
}
