import { useEffect } from 'react'
import type {
  ConversationDetails,
  LibraryKey,
} from '../../../shared/model/conversation/conversation'
import type { PartitionRow, Partitions } from '../../../shared/model/conversation/partitions'
import { useStores, useUpkeep } from '../../state/context'
import { Button } from '../../ui/controls/Button'
import {
  exactTime,
  formatByteSize,
  formatCount,
  formatQuantity,
  formatTimeRange,
} from '../../ui/format/format'
import { FailureNote } from '../../ui/notes/FailureNote'
import { PathText } from '../../ui/text/PathText'
import { DetailsSection } from '../facts/DetailsSection'
import { CheckResult } from './CheckResult'

/** List of a context's partitions: times, sizes, seals and the next rotation, with a check on request. */
export function PartitionsPart(props: {
  readonly contextKey: LibraryKey
  /** Partitions are read again when these change. */
  readonly details: ConversationDetails
}) {
  const { contextKey, details } = props
  const { upkeep } = useStores()
  const isOf = useUpkeep((state) => state.key === contextKey)
  const partitions = useUpkeep((state) => state.partitions)
  const failure = useUpkeep((state) => state.failure)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with new details the files may have changed
  useEffect(() => void upkeep.getState().load(contextKey), [upkeep, contextKey, details])
  if (!isOf) return null
  if (failure !== undefined)
    return (
      <DetailsSection title="Partitions">
        <div className="details-note">
          <FailureNote
            title="Not listed."
            failure={failure}
            onAgain={() => void upkeep.getState().load(contextKey)}
          />
        </div>
      </DetailsSection>
    )
  if (partitions === undefined) return null
  return (
    <DetailsSection title="Partitions" count={partitions.rows.length}>
      <ul className="details-notices">
        {partitions.rows.map((row) => (
          <Partition key={row.file} row={row} />
        ))}
        {partitions.rows.length === 0 && <li>No file yet.</li>}
      </ul>
      <p className="details-words small t3">{thresholdWords(partitions.thresholds)}</p>
      <Check />
    </DetailsSection>
  )
}

function Partition({ row }: { readonly row: PartitionRow }) {
  const { file, isActive, start, end, entries, tokens, bytes, seal, hasFilter, isStray } = row
  const facts = [
    entries === null ? undefined : formatQuantity(entries, 'entry', 'entries'),
    tokens === null ? undefined : `about ${formatCount(tokens)} tokens`,
    formatByteSize(bytes),
    isActive
      ? 'active'
      : seal === 'sealed'
        ? 'sealed'
        : seal === 'unproven'
          ? 'its seal cannot be read'
          : 'no seal',
    hasFilter ? 'filter' : undefined,
    isStray ? 'not in the manifest' : undefined,
  ]
  return (
    <li>
      <div className="upkeep-path">
        <PathText path={file} />
      </div>
      <p className="t3">
        {facts.filter((fact) => fact !== undefined).join(' · ')}
        {start !== null && end !== null && (
          <>
            <br />
            <Times start={start} end={end} />
          </>
        )}
      </p>
    </li>
  )
}

/** @param props Unix seconds from a file, not checked */
function Times({ start, end }: { readonly start: number; readonly end: number }) {
  const times = [start * 1000, end * 1000] as const
  if (times.some((ms) => Number.isNaN(new Date(ms).getTime()))) return `${start} – ${end}`
  return <span title={times.map(exactTime).join(' –\n')}>{formatTimeRange(...times)}</span>
}

function thresholdWords({ entries, tokens, ageSeconds }: Partitions['thresholds']): string {
  const limits = [
    formatQuantity(entries, 'entry', 'entries'),
    ...(tokens === null ? [] : [formatQuantity(tokens, 'token')]),
  ]
  return `The active file is archived at ${limits.join(', ')} or an age of ${ageWords(ageSeconds)}: see Settings, Storage.`
}

function ageWords(seconds: number): string {
  if (seconds % 86_400 === 0) return formatQuantity(seconds / 86_400, 'day')
  if (seconds % 3600 === 0) return formatQuantity(seconds / 3600, 'hour')
  return formatQuantity(seconds, 'second')
}

function Check() {
  const { upkeep } = useStores()
  const isChecking = useUpkeep((state) => state.isChecking)
  const checked = useUpkeep((state) => state.checked)
  const failure = useUpkeep((state) => state.checkFailure)
  return (
    <div className="details-note under-head">
      <div className="row-x">
        <Button isSmall isBusy={isChecking} onClick={() => void upkeep.getState().check()}>
          Check
        </Button>
        {isChecking && (
          <Button isSmall kind="ghost" onClick={() => upkeep.getState().cancelCheck()}>
            Cancel
          </Button>
        )}
        <span className="small t3">
          {isChecking
            ? 'Reading every file…'
            : checked === undefined && 'Compares archived files with their seals.'}
        </span>
      </div>
      {failure !== undefined && (
        <FailureNote
          title="Not checked."
          failure={failure}
          onAgain={() => void upkeep.getState().check()}
        />
      )}
      <div role="status" aria-label="Check">
        {checked !== undefined && <CheckResult files={checked} />}
      </div>
    </div>
  )
}
