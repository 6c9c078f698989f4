/** Dot of a conversation to which entries came since it was seen. */
export function NewsDot() {
  return (
    <span className="news-dot">
      <span className="unseen">new entries</span>
    </span>
  )
}
