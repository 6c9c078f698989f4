import { formatCount } from '../format/format'

/** Numbers of added and removed lines: +3 −1. */
export function LineGrowth(props: { readonly added: number; readonly removed: number }) {
  const { added, removed } = props
  return (
    <span className="line-growth number small">
      <span className="added">
        +{formatCount(added)}
        <span className="unseen"> lines added</span>
      </span>{' '}
      <span className="removed">
        −{formatCount(removed)}
        <span className="unseen"> lines removed</span>
      </span>
    </span>
  )
}
