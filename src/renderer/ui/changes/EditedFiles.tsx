import { visibleText } from '../../../shared/model/basics/visible'
import type { FileEdit } from '../../../shared/model/calls/file-edit'
import { DiffView } from './DiffView'
import { LineGrowth } from './LineGrowth'

const signs = { change: '', write: 'Written', delete: 'Deleted' } as const

/** The changes of files that a tool was asked for, a diff each. */
export function EditedFiles(props: { readonly edits: readonly FileEdit[] }) {
  return props.edits.map((edit, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: edits of one call never move
    <EditedFile key={index} edit={edit} />
  ))
}

function EditedFile(props: { readonly edit: FileEdit }) {
  const { path, movedTo, type, diff, added, removed } = props.edit
  return (
    <div className="edited-file">
      <div className="edited-file-head">
        <span className="mono cut">
          {visibleText(path)}
          {movedTo !== undefined && (
            <>
              {' '}
              <span aria-hidden="true">→</span>
              <span className="unseen"> moved to </span> {visibleText(movedTo)}
            </>
          )}
        </span>
        {signs[type] !== '' && <span className="t2">{signs[type]}</span>}
        {diff !== '' && <LineGrowth added={added} removed={removed} />}
      </div>
      {diff !== '' && <DiffView diff={diff} hasNumbers={false} />}
    </div>
  )
}
