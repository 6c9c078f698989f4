import type { Contract } from '../../../../shared/ipc/contract'
import type { ComparisonId } from '../../../../shared/ipc/conversations/comparisons'
import type { Handlers } from '../../../../shared/ipc/wire/primitives'
import { AppError } from '../../../../shared/model/basics/errors'
import type { ComparedRow } from '../../../../shared/model/comparison/comparison-view'
import { exportFormats } from '../../../../shared/model/export'
import type { OpenComparison } from '../../../home/comparison/comparisons'
import type { CurrentHome } from '../../current/current-home'
import { entriesForWindow } from '../../limits/rows-for-window'
import type { ExportDialogs } from '../exports'

/** Serves comparisons of two conversations, one at a time. */
export function comparisonsHandlers(
  home: CurrentHome<'comparisons'>,
  dialogs: Pick<ExportDialogs, 'file' | 'shown'>,
): Handlers<Contract['comparisons']> {
  let last = 0
  let current: { readonly id: ComparisonId; readonly comparison: OpenComparison } | undefined

  function opened(id: ComparisonId): OpenComparison {
    if (current?.id !== id)
      throw new AppError('cancelled', 'Another comparison was opened, or this one was closed.')
    return current.comparison
  }

  return {
    async open({ left, right }) {
      const id = ++last
      current = undefined
      const comparison = await home().comparisons.open(left, right)
      if (id === last) current = { id, comparison }
      return { id, view: comparison.view }
    },

    async rows({ id, from, limit }) {
      return rowsWithin(await opened(id).rows(from, limit))
    },

    async save({ id, format }) {
      const comparison = opened(id)
      const { left, right } = comparison.view
      const name = `${safe(left.title)} and ${safe(right.title)}.${format}`
      const { name: label } = exportFormats[format]
      const kind = { label, extension: format, title: 'Export the comparison' }
      const file = await dialogs.file(name, kind)
      if (file === undefined) return null
      return { file: dialogs.shown(file), bytes: await comparison.save(file, format) }
    },

    async close() {
      last += 1
      current = undefined
      await home().comparisons.close()
    },
  }
}

/** Shortens the entries of rows as those of a transcript. */
function rowsWithin(rows: readonly ComparedRow[]): ComparedRow[] {
  const entries = entriesForWindow(
    rows.flatMap((row) =>
      row.kind === 'removed'
        ? [row.left]
        : row.kind === 'added'
          ? [row.right]
          : [row.left, row.right],
    ),
  )
  let at = 0
  return rows.map((row) => {
    const left = row.kind === 'added' ? undefined : entries[at++]
    const right = row.kind === 'removed' ? undefined : entries[at++]
    return { ...row, ...(left && { left }), ...(right && { right }) }
  })
}

/** Makes a title a part of a file name. */
function safe(title: string): string {
  const name = title
    .slice(0, 200)
    .replace(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    .slice(0, 40)
    .trim()
  return name === '' ? 'conversation' : name
}
