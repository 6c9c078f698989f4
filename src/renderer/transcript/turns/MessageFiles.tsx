import { FileText } from 'lucide-react'
import type { MessagePart } from '../../../shared/model/attachments/text-files'
import { visibleText } from '../../../shared/model/basics/visible'
import { formatByteSize, formatQuantity } from '../../ui/format/format'
import { LongText } from '../../ui/text/LongText'
import { fileFold } from '../items/folds'
import { Fold } from '../parts/Fold'

/** Folds of the text files in a user message: name, lines and size; inside, what the model got of each. */
export function MessageFiles(props: {
  readonly itemKey: string
  readonly parts: readonly MessagePart[]
}) {
  const { itemKey, parts } = props
  return parts.map((part, at) =>
    part.type === 'words' ? null : (
      <Fold
        // biome-ignore lint/suspicious/noArrayIndexKey: they never move, and names repeat
        key={at}
        name={fileFold(itemKey, at)}
        icon={FileText}
        head={() => (
          <>
            <b className="cut">
              <bdi>{visibleText(part.file.name)}</bdi>
            </b>
            <span className="t3 number">
              {formatQuantity(part.text.split('\n').length, 'line')},{' '}
              {formatByteSize(part.file.bytes)}
            </span>
          </>
        )}
      >
        <LongText text={part.text} firstLines={40} label="Text" className="mono" />
      </Fold>
    ),
  )
}
