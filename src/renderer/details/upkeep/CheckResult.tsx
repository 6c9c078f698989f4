import type { CheckedFile } from '../../../shared/model/conversation/partitions'
import { formatCount, formatQuantity } from '../../ui/format/format'
import { Note } from '../../ui/notes/Note'

/** Result of a check of a context's files: one sentence where all seals hold, else each file that differs. */
export function CheckResult({ files }: { readonly files: readonly CheckedFile[] }) {
  const broken = files.filter(({ ok }) => !ok)
  const sealed = files.filter((file) => file.sealed).length
  const lines = files.reduce((sum, file) => sum + file.lines, 0)
  const damaged = files.reduce((sum, file) => sum + file.damaged, 0)
  const read = `${formatQuantity(files.length, 'file')}, ${formatQuantity(lines, 'line')}, ${formatCount(damaged)} damaged`
  if (broken.length === 0)
    return (
      <p className="small t2">
        {read}.{' '}
        {sealed === 0
          ? 'No file is sealed yet.'
          : `${formatQuantity(sealed, 'seal holds', 'seals hold')}.`}
        {files.filter((file) => file.addedBytes !== undefined).map(addedWords)}
      </p>
    )
  return (
    <Note
      tone="error"
      title={`${formatQuantity(broken.length, 'file differs from its seal', 'files differ from their seals')}.`}
    >
      {read}.
      <ul className="details-notices upkeep-broken">
        {broken.map((file) => (
          <li key={file.file}>
            <span className="mono">{file.file}</span>: {faultWords(file)}
          </li>
        ))}
      </ul>
    </Note>
  )
}

function addedWords({ file, addedBytes = 0 }: CheckedFile): string {
  return ` ${file} has ${formatQuantity(addedBytes, 'byte')} after its seal, as expected.`
}

function faultWords(file: CheckedFile): string {
  const { sealed, lines, firstChangedByte, withinBytes = 1, addedBytes, damaged } = file
  if (!sealed) return `${formatQuantity(damaged, 'damaged line')} among the seals`
  if (addedBytes !== undefined) return `it has ${formatQuantity(addedBytes, 'byte')} after its seal`
  if (lines === 0 && firstChangedByte === 0) return 'it is missing'
  if (firstChangedByte === undefined) return 'it differs, or its seal cannot be read'
  return withinBytes === 1
    ? `it differs from byte ${formatCount(firstChangedByte)} on`
    : `it differs within the ${formatCount(withinBytes)} bytes from ${formatCount(firstChangedByte)} on`
}
