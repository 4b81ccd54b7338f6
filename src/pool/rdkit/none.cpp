#include <salvo/error.h>
#include <salvo/pool_build.h>

#include "pool/fingerprint.h"

namespace salvo {

bool has_rdkit() { return false; }

std::string Morgan::version() { return ""; }

Morgan::Morgan(int radius, int num_bits) : radius_(radius), num_bits_(num_bits) {
  throw Error(
      "this Salvo was built without RDKit, so it cannot read SMILES. Install librdkit-dev (Debian) and build again, or make "
      "the fingerprints elsewhere and give them in hexadecimal or as an NPY file of packed bits");
}

std::string Morgan::fingerprint(const std::string&, std::span<std::uint64_t>) const { return "no RDKit"; }

}  // namespace salvo
