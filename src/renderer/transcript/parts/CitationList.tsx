import { visibleText } from '../../../shared/model/basics/visible'
import { citationsOf } from '../../../shared/model/conversation/citations'
import type { Entry } from '../../../shared/model/conversation/entry'
import { Link } from '../../ui/text/Link'

/** List of the pages that an answer cites, by their numbers in the text; each opens in the browser. */
export function CitationList(props: { readonly entry: Entry }) {
  const citations = citationsOf(props.entry.metadata)
  if (citations.length === 0) return null
  return (
    <ol className="citations small" aria-label="Sources">
      {citations.map(({ number, url, title }) => (
        <li key={number} value={number}>
          <Link url={url}>
            <bdi>{visibleText(title ?? url)}</bdi>
          </Link>
          {title !== undefined && <span className="t3"> {hostOf(url)}</span>}
        </li>
      ))}
    </ol>
  )
}

function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return '' // The link itself shows the address.
  }
}
