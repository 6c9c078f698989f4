import { type RefObject, useEffect, useRef } from 'react'
import { visibleText } from '../../../shared/model/basics/visible'
import type { PluginLook } from '../../../shared/model/settings/plugins'
import { Button } from '../../ui/controls/Button'
import { formatByteSize, formatQuantity } from '../../ui/format/format'
import { LongText } from '../../ui/text/LongText'

const firstLines = 24

/** Preview of a plugin before it is trusted: its path, the hash of its content, its files and its text. */
export function PluginPreviewPane(props: {
  readonly look: PluginLook
  readonly isBusy: boolean
  readonly onTrust: () => void
  readonly onCancel: () => void
}) {
  const { look, isBusy, onTrust, onCancel } = props
  const { kind, hash, sizeBytes, fileCount, text, isWhole } = look
  const name = visibleText(look.name)
  const pane = useRef<HTMLFieldSetElement>(null)
  useFocusInside(pane)

  return (
    <fieldset
      ref={pane}
      tabIndex={-1}
      className="plugin-look"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
    >
      <legend className="label">Trust {name}?</legend>
      <p className="small t2">
        It runs with your rights: it can read, change and send whatever you can. Trust covers
        exactly this content: if a byte changes, it does not run until you trust it again.
        {kind === 'file'
          ? ' Code that it loads from elsewhere is not covered.'
          : ' All files in its folder are covered.'}
      </p>
      <dl className="plugin-facts small">
        <dt className="t3">Path</dt>
        <dd className="mono">{visibleText(look.shown)}</dd>
        {look.program !== look.shown && (
          <>
            <dt className="t3">Runs</dt>
            <dd className="mono">{visibleText(look.program)}</dd>
          </>
        )}
        <dt className="t3">Size</dt>
        <dd className="number">
          {formatByteSize(sizeBytes)}
          {kind === 'folder' && `, ${formatQuantity(fileCount, 'file')}`}
        </dd>
        <dt className="t3">SHA-256</dt>
        <dd className="mono">{hash}</dd>
      </dl>
      {kind === 'folder' && <Files look={look} />}
      {text === null ? (
        <p className="small warn-t">The program is not text and cannot be shown.</p>
      ) : (
        <>
          <LongText
            className="plugin-text"
            text={text}
            firstLines={firstLines}
            label={`Text of ${name}`}
          />
          {!isWhole && <p className="small t2">Only the beginning is shown.</p>}
        </>
      )}
      <div className="plugin-acts">
        <Button kind="primary" isSmall isBusy={isBusy} onClick={onTrust}>
          Trust this content
        </Button>
        <Button kind="ghost" isSmall onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </fieldset>
  )
}

function Files(props: { readonly look: PluginLook }) {
  const { files, fileCount } = props.look
  const shown = files.map(({ path, sizeBytes }) => `${path}  ${formatByteSize(sizeBytes)}`)
  const rest = fileCount - files.length
  return (
    <LongText
      className="plugin-text"
      text={[
        ...shown,
        ...(rest > 0 ? [`and ${formatQuantity(rest, 'more file', 'more files')}`] : []),
      ].join('\n')}
      firstLines={12}
      label="Files of its folder"
    />
  )
}

/** Moves the focus to the pane, so that it is read from its beginning before the button to trust. */
function useFocusInside(pane: RefObject<HTMLElement | null>): void {
  useEffect(() => pane.current?.focus(), [pane])
}
