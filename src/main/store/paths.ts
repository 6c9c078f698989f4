// Where the files of a home and of a context are, and that a context's folder lies inside its home.
export {
  type ContextPaths,
  contextPaths,
  type HomePaths,
  homePaths,
  isContextName,
} from './core/home-paths'
export { mustLieInside } from './core/inside-home'
