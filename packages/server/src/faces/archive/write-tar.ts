export { writeTar } from '../../archive/write-tar.js';
