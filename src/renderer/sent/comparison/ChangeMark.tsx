const marks = {
  removed: ['−', 'Removed'],
  added: ['+', 'Added'],
  changed: ['±', 'Changed'],
} as const

/** What became of something, by a sign and in a word. */
export function ChangeMark(props: { readonly type: keyof typeof marks }) {
  const [sign, word] = marks[props.type]
  return (
    <span className={`sent-mark ${props.type}`}>
      <span className="mono" aria-hidden="true">
        {sign}
      </span>{' '}
      {word}
    </span>
  )
}
