import { CircleX, File, FileText, Film, Image, Music } from 'lucide-react'
import type { Entry } from '../../../shared/model/conversation/entry'
import { Icon } from '../../ui/controls/Icon'
import { formatCount } from '../../ui/format/format'
import { type AttachedFile, attachedFilesOf, maxAttachedFiles } from '../entries/attachments'

/** List of the files of a message: name, type and size, in the source's words. */
export function AttachmentList(props: { readonly entry: Entry }) {
  const attachments = attachedFilesOf(props.entry)
  if (attachments.length === 0) return null
  const rest = attachments.length - maxAttachedFiles
  return (
    <ul className="attachments" aria-label="Files">
      {attachments.slice(0, maxAttachedFiles).map((attachment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never move, and names repeat
        <li key={index} className="attachment">
          <AttachmentWords {...attachment} />
        </li>
      ))}
      {rest > 0 && <li className="t3 small">and {formatCount(rest)} more files</li>}
    </ul>
  )
}

function AttachmentWords({ name, type, size, isFailed }: AttachedFile) {
  const about = [type, size].filter((word) => word !== undefined).join(', ')
  return (
    <>
      <Icon of={isFailed ? CircleX : iconOf(type)} {...(isFailed ? { className: 'err-t' } : {})} />
      <span className="label cut">
        <bdi>{name ?? 'A file without a name'}</bdi>
      </span>
      {about !== '' && <span className="t3 small cut">{about}</span>}
      {isFailed && <span className="err-t small">download failed</span>}
    </>
  )
}

function iconOf(type: string | undefined) {
  const kind = type?.split('/')[0]
  if (kind === 'image') return Image
  if (kind === 'audio') return Music
  if (kind === 'video') return Film
  return kind === 'text' || type === 'application/pdf' ? FileText : File
}
