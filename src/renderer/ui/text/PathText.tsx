/** Path that is cut before its last part where it does not fit. */
export function PathText(props: { readonly path: string }) {
  const { path } = props
  const cut = Math.max(path.lastIndexOf('/', path.length - 2), path.lastIndexOf('\\')) + 1
  return (
    <span className="path-text mono" title={path}>
      <span className="cut">{path.slice(0, cut)}</span>
      <span className="path-end">{path.slice(cut)}</span>
    </span>
  )
}
