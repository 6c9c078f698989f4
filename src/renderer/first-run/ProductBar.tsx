import { Logo } from '../ui/controls/Icon'

/** Bar with the product's name, where no home is open. */
export function ProductBar() {
  return (
    <div className="bar chrome">
      <Logo />
      <span className="wordmark">Skein</span>
    </div>
  )
}
