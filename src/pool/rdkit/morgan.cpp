#include <DataStructs/ExplicitBitVect.h>
#include <GraphMol/Fingerprints/MorganFingerprints.h>
#include <GraphMol/GraphMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <RDGeneral/RDLog.h>
#include <RDGeneral/versions.h>
#include <salvo/pool_build.h>

#include <memory>
#include <mutex>

#include "pool/fingerprint.h"

namespace salvo {
namespace {

// RDKit writes about each bad molecule on standard error; we report them ourselves.
void silence() {
  static std::once_flag once;
  std::call_once(once, [] { boost::logging::disable_logs("rdApp.*"); });
}

std::string first_line(std::string text) {
  if (const auto end = text.find('\n'); end != std::string::npos) text.resize(end);
  return text;
}

}  // namespace

bool has_rdkit() { return true; }

std::string Morgan::version() { return RDKit::rdkitVersion; }

Morgan::Morgan(int radius, int num_bits) : radius_(radius), num_bits_(num_bits) { silence(); }

std::string Morgan::fingerprint(const std::string& smiles, std::span<std::uint64_t> words) const try {
  const std::unique_ptr<RDKit::ROMol> molecule(RDKit::SmilesToMol(smiles));
  if (!molecule) return "not a SMILES";
  if (molecule->getNumAtoms() == 0) return "no atoms";
  const std::unique_ptr<ExplicitBitVect> bits(RDKit::MorganFingerprints::getFingerprintAsBitVect(
      *molecule, static_cast<unsigned>(radius_), static_cast<unsigned>(num_bits_)));
  const auto& set = *bits->dp_bits;
  for (auto bit = set.find_first(); bit != set.npos; bit = set.find_next(bit)) words[bit / 64] |= std::uint64_t{1} << (bit % 64);
  return "";
} catch (const std::exception& error) {
  return first_line(error.what());
}

}  // namespace salvo
